package routes

// shadowed are APIs of this server that the kube-apiserver of a cluster serves by resource definitions.
// Documents of both cannot be merged while they describe the same paths. OpenShift's fork of this
// module leaves them out, too.
var shadowed = []string{
	"/apis/quota.openshift.io/v1/clusterresourcequotas",
	"/apis/security.openshift.io/v1/securitycontextconstraints",
	"/apis/authorization.openshift.io/v1/rolebindingrestrictions",
	"/apis/authorization.openshift.io/v1/namespaces/{namespace}/rolebindingrestrictions",
	"/apis/authorization.openshift.io/v1/watch/rolebindingrestrictions",
	"/apis/authorization.openshift.io/v1/watch/namespaces/{namespace}/rolebindingrestrictions",
}
