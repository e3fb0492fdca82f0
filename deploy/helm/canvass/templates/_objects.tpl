{{/* Adds the label that kustomize adds, to the metadata of the object or template that is given. */}}
{{- define "canvass.label" -}}
{{- $metadata := .metadata | default dict -}}
{{- $labels := $metadata.labels | default dict -}}
{{- $_ := set $labels "app.kubernetes.io/part-of" "canvass" -}}
{{- $_ := set $metadata "labels" $labels -}}
{{- $_ := set . "metadata" $metadata -}}
{{- end -}}

{{/* Sets what a template of pods gets from the values. Takes `template` and `root`. */}}
{{- define "canvass.pods" -}}
{{- include "canvass.label" .template -}}
{{- $image := .root.Values.image -}}
{{- range $container := .template.spec.containers -}}
{{- $_ := set $container "image" (printf "%s:%s" $image.repository ($image.tag | default $.root.Chart.Version)) -}}
{{- with $image.pullPolicy }}{{ $_ := set $container "imagePullPolicy" . }}{{ end -}}
{{- end -}}
{{- end -}}
