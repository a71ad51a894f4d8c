module hypershift/parts/cluster-kube-apiserver-operator

go 1.25.0

require github.com/openshift/cluster-kube-apiserver-operator v0.0.0-alpha.0.0.20260205184824-4bbd3be9dfda
