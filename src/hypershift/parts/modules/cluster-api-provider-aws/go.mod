module hypershift/parts/cluster-api-provider-aws
go 1.25.0
require sigs.k8s.io/cluster-api-provider-aws/v2 v2.13.0
