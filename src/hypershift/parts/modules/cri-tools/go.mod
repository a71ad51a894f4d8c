module hypershift/parts/cri-tools

go 1.26.2

require sigs.k8s.io/cri-tools v1.36.0
