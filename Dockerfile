# The image of this program for those who build images with Docker, Podman or a CI service.
# `hypershift image build` makes the same image without any of them; tests/unit/tools holds both
# equal in what matters: entry point, user, environment, labels and programs.
#
#   docker build --build-arg VERSION=$(python3 tools/version.py) --tag hypershift .

ARG PYTHON=3.11
FROM docker.io/library/python:${PYTHON}-slim AS build
ARG VERSION
WORKDIR /source
COPY . .
# An image has no git: the version comes from outside, where a source distribution has it.
RUN test -n "$VERSION" && printf 'Version: %s\n' "$VERSION" > PKG-INFO \
 && pip install --no-cache-dir --prefix=/install .

FROM docker.io/library/python:${PYTHON}-slim
ARG VERSION
COPY --from=build /install /usr/local
COPY tools/image/control-plane-operator /usr/bin/control-plane-operator
RUN ln -s /usr/local/bin/hypershift /usr/bin/hypershift-operator
RUN ln -s /usr/local/bin/hypershift /usr/bin/control-plane-pki-operator
RUN ln -s /usr/local/bin/hypershift /usr/bin/karpenter-operator
ENV HOME=/tmp \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
LABEL \
      io.openshift.hypershift.control-plane-operator-applies-management-kas-network-policy-label="true" \
      io.openshift.hypershift.control-plane-operator-creates-aws-sg="true" \
      io.openshift.hypershift.control-plane-operator-manages.decompress-decode-config="true" \
      io.openshift.hypershift.control-plane-operator-skips-haproxy="true" \
      io.openshift.hypershift.control-plane-operator-subcommands="true" \
      io.openshift.hypershift.control-plane-operator-supports-kas-custom-kubeconfig="true" \
      io.openshift.hypershift.control-plane-operator.v2-isdefault="true" \
      io.openshift.hypershift.control-plane-pki-operator-signs-csrs="true" \
      io.openshift.hypershift.dedicated-contract="1" \
      io.openshift.hypershift.hosted-cluster-config-operator-reports-node-count="true" \
      io.openshift.hypershift.restricted-psa="true" \
      org.opencontainers.image.version="${VERSION}"
USER 65532
WORKDIR /
ENTRYPOINT ["/usr/local/bin/hypershift"]
