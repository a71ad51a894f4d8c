module hypershift/parts/cluster-api

go 1.25.0

require sigs.k8s.io/cluster-api v1.13.6
