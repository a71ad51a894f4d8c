module hypershift/parts/flannel

go 1.26.0

require github.com/flannel-io/flannel v0.26.7
