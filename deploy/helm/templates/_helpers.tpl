{{- define "portal.labels" -}}
app.kubernetes.io/name: partner-portal
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "portal.settings" -}}
{{ .Release.Name }}-settings
{{- end }}

{{- define "portal.secret" -}}
{{- if .Values.existingSecret }}{{ .Values.existingSecret }}{{ else }}{{ .Release.Name }}-secrets{{ end }}
{{- end }}

{{- define "portal.engineSecret" -}}
{{- if .Values.engine.existingSecret }}{{ .Values.engine.existingSecret }}{{ else }}{{ .Release.Name }}-engine-secrets{{ end }}
{{- end }}

{{- define "portal.internalUrl" -}}
http://{{ .Release.Name }}-http:{{ .Values.http.port }}
{{- end }}

{{/* What a pod of the image has: an ordinary account, a file system that cannot be written, memory where it writes. */}}
{{- define "portal.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: 70
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: { medium: Memory, sizeLimit: 256Mi }
  - name: data
    emptyDir: { medium: Memory, sizeLimit: 64Mi }
  {{- if .Values.databaseAuthority }}
  - name: database-authority
    secret: { secretName: {{ .Values.databaseAuthority }} }
  {{- end }}
{{- end }}

{{- define "portal.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: data, mountPath: /var/lib/portal }
  {{- if .Values.databaseAuthority }}
  - { name: database-authority, mountPath: /database-authority, readOnly: true }
  {{- end }}
{{- end }}

{{/* The settings of the service. A change of them replaces its pods. */}}
{{- define "portal.environment" -}}
envFrom:
  - configMapRef: { name: {{ include "portal.settings" . }} }
  - secretRef: { name: {{ include "portal.secret" . }} }
{{- end }}

{{- define "portal.checksums" -}}
checksum/settings: {{ include (print $.Template.BasePath "/settings.yaml") . | sha256sum }}
checksum/secrets: {{ include (print $.Template.BasePath "/secrets.yaml") . | sha256sum }}
{{- end }}

{{/* Spreads the pods of a role over the nodes. */}}
{{- define "portal.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "portal.labels" . | nindent 8 }}
{{- end }}
