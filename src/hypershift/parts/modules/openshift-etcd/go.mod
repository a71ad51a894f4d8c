module hypershift/parts/openshift-etcd

go 1.26.0

require (
	go.etcd.io/etcd/server/v3 v3.6.16
	go.etcd.io/etcd/etcdctl/v3 v3.6.16
	go.etcd.io/etcd/etcdutl/v3 v3.6.16
)

replace go.etcd.io/etcd/server/v3 => ./local/v3
