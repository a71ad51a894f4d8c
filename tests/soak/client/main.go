// A small client-go program: what an ordinary controller does, against the cluster of a kubeconfig.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/retry"
)

const (
	namespace = "default"
	name      = "client-go"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	version, err := client.Discovery().ServerVersion()
	if err != nil {
		return err
	}
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	fmt.Printf("server %s, %d nodes\n", version.GitVersion, len(nodes.Items))
	return follow(ctx, client)
}

// follow makes, applies, changes and deletes an object, and wants an informer to see each step.
func follow(ctx context.Context, client kubernetes.Interface) error {
	seen := make(chan string, 64)
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps().Informer()
	tell := func(step string, object any) {
		if found, ok := object.(*corev1.ConfigMap); ok && found.Name == name {
			seen <- step + found.Data["step"]
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell("added ", object) },
		UpdateFunc: func(_, object any) { tell("changed ", object) },
		DeleteFunc: func(object any) { tell("deleted ", object) },
	})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	maps := client.CoreV1().ConfigMaps(namespace)
	wanted := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"step": "one"}}
	if _, err := maps.Create(ctx, wanted, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := await(ctx, seen, "added one"); err != nil {
		return err
	}
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		found, err := maps.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		found.Data["step"] = "two"
		_, err = maps.Update(ctx, found, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return err
	}
	if err := await(ctx, seen, "changed two"); err != nil {
		return err
	}
	applied := applycorev1.ConfigMap(name, namespace).WithData(map[string]string{"step": "three"})
	if _, err := maps.Apply(ctx, applied, metav1.ApplyOptions{FieldManager: "client-go", Force: true}); err != nil {
		return err
	}
	if err := await(ctx, seen, "changed three"); err != nil {
		return err
	}
	if err := maps.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	return await(ctx, seen, "deleted three")
}

func await(ctx context.Context, seen <-chan string, wanted string) error {
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%q was not seen: %w", wanted, ctx.Err())
		case step := <-seen:
			fmt.Println(step)
			if step == wanted {
				return nil
			}
		}
	}
}
