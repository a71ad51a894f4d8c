module hypershift/parts/external-dns
go 1.26.1
require sigs.k8s.io/external-dns v0.21.0
