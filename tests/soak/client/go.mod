module example.com/client

go 1.25.0

require (
	k8s.io/api v0.35.8
	k8s.io/apimachinery v0.35.8
	k8s.io/client-go v0.35.8
)
