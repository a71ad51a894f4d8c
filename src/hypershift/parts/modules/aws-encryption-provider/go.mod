module hypershift/parts/aws-encryption-provider
go 1.24.2
require sigs.k8s.io/aws-encryption-provider v0.0.0-20250516182915-ebac1888726f
