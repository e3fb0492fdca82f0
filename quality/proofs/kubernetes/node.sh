#!/bin/sh
# A node: containerd, kube-proxy and kubelet, in the network namespace that it is started in and with mounts of its own.
# Variables: NAME, ADDRESS, PODS (network of its pods), ROUTES ("network address" of each other node, one a line), RUN, DATA and
# LOGS (folders), IMAGES (archive), GROUP (control group), KUBECONFIG, DNS, CNI (folder of plugins), POD_NETWORK (of all pods).
set -eu
# kubelets of one machine would delete each other's logs. What is below /var/lib is of the plugins for networks.
for folder in /var/log /var/lib; do mount -t tmpfs tmpfs $folder; done
mkdir -p /var/log/pods /var/log/containers "$RUN" "$DATA/cni" "$DATA/plugins"
mount --make-rshared /
echo 1 > /proc/sys/net/ipv4/ip_forward
echo "$ROUTES" | while read -r network address; do ip route replace "$network" via "$address"; done

cat > "$DATA/cni/10-pods.conflist" <<JSON
{ "cniVersion": "0.4.0", "name": "pods", "plugins": [{ "type": "ptp", "ipMasq": true, "ipam": { "type": "host-local",
  "dataDir": "$RUN/addresses", "ranges": [[{ "subnet": "$PODS" }]], "routes": [{ "dst": "0.0.0.0/0" }] } }] }
JSON
cat > "$DATA/containerd.toml" <<TOML
version = 2
root = "$DATA/containerd"
state = "$RUN/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.devmapper"]
[grpc]
address = "$RUN/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "localhost/pause:1"
restrict_oom_score_adj = true # without CAP_SYS_RESOURCE no score can be lowered
disable_apparmor = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "$CNI"
conf_dir = "$DATA/cni"
TOML
containerd --config "$DATA/containerd.toml" >> "$LOGS/$NAME-containerd.log" 2>&1 &
export CONTAINERD_ADDRESS="$RUN/containerd.sock"
until ctr version > /dev/null 2>&1; do sleep 0.5; done
ctr --namespace k8s.io images import "$IMAGES"

kube-proxy --kubeconfig "$KUBECONFIG" --hostname-override "$NAME" --bind-address "$ADDRESS" --proxy-mode=iptables \
  --cluster-cidr="$POD_NETWORK" --conntrack-max-per-core=0 --conntrack-tcp-timeout-established=0 \
  --conntrack-tcp-timeout-close-wait=0 --oom-score-adj=0 >> "$LOGS/$NAME-kube-proxy.log" 2>&1 &
exec kubelet --kubeconfig "$KUBECONFIG" --root-dir "$DATA/kubelet" --cert-dir "$DATA/kubelet/pki" --hostname-override "$NAME" \
  --node-ip "$ADDRESS" --container-runtime=remote --container-runtime-endpoint="unix://$RUN/containerd.sock" \
  --cgroup-driver=cgroupfs --cgroup-root="/$GROUP" --cluster-dns="$DNS" --cluster-domain=cluster.local --resolv-conf= \
  --volume-plugin-dir="$DATA/plugins" --fail-swap-on=false --eviction-hard='memory.available<200Mi' \
  --image-gc-high-threshold=100 --image-gc-low-threshold=99 --authorization-mode=AlwaysAllow \
  --node-status-update-frequency=5s --oom-score-adj=0
