import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { bodyLimitOf } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary/limits.ts';
import { loadConfig, loadEngineConfig } from '@partner-portal/service/config.ts';
import { SETTINGS } from '@partner-portal/service/settings.ts';
import { findHelm, loadSchemas, type Manifest, whyNotRendered } from './chart-tools.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CHART = join(ROOT, 'deploy', 'helm');
const TEMPLATES = join(CHART, 'templates');
const templates = readdirSync(TEMPLATES).map((file) => readFileSync(join(TEMPLATES, file), 'utf8'));

describe('the chart', () => {
  it('has a default for every value that its templates read, and reads every value', () => {
    const paths: string[] = [];
    const above: string[] = [];
    for (const line of readFileSync(join(CHART, 'values.yaml'), 'utf8').split('\n')) {
      const [, indent = '', name] = /^( *)(\w+):/.exec(line) ?? [];
      if (name === undefined) continue;
      above.splice(indent.length / 2, Infinity, name);
      paths.push(above.join('.'));
    }
    const read = templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path));
    assert.ok(read.length > 30, 'the templates were read');
    const isFree = (path: string): boolean => path.startsWith('settings.');
    assert.deepEqual(
      read.filter((path) => !paths.includes(path) && !isFree(path)),
      [],
    );
    const isUsed = (path: string): boolean => read.some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`));
    assert.deepEqual(
      paths.filter((path) => !isUsed(path)),
      [],
    );
  });

  it('lets a start take as long as the image does', () => {
    const [, minutes = ''] = /--start-period=(\d+)m/.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
    const [, seconds = '', failures = ''] =
      /startupProbe:[^]*?periodSeconds: (\d+)\s+failureThreshold: (\d+)/.exec(readFileSync(join(TEMPLATES, 'http.yaml'), 'utf8')) ?? [];
    assert.equal(Number(seconds) * Number(failures), Number(minutes) * 60);
  });

  it('is installed with an ingress that lets the largest body through, as any other proxy must', () => {
    const largest = Math.max(LIMITS.eventWithFilesBytesMax, ...Object.values(routes).map(bodyLimitOf));
    for (const [file, pattern] of [
      ['docs/deploy.md', /proxy-body-size=(\d+)m/],
      ['docs/deploy.md', /client_max_body_size (\d+)m/],
      ['deploy/helm/values.yaml', /files of (\d+) MB/],
    ] as const) {
      const [, megabytes = ''] = pattern.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
      assert.ok(Number(megabytes) * 1024 * 1024 >= largest, `${file}: ${megabytes} MB for ${largest} bytes`);
    }
  });

  it('sets only what is a setting of the service', () => {
    const names = templates.flatMap((text) => [...text.matchAll(/(?:name: |^ {2})([A-Z][A-Z_]+)\b[,:]/gm)].map(([, name = '']) => name));
    assert.ok(names.includes('AUTOMATION_INTERNAL_API_URL') && names.includes('ROLE'));
    assert.deepEqual(
      names.filter((name) => !Object.hasOwn(SETTINGS, name)),
      [],
    );
  });
});

const REQUIRED = {
  publicBaseUrl: 'https://portal.example.com',
  existingSecret: 'portal-settings',
  'engine.projectId': 'abcdefghijklmnopqrstu',
  'engine.existingSecret': 'engine-settings',
};
const EVERYTHING = {
  'ingress.enabled': 'true',
  'ingress.className': 'nginx',
  'ingress.tlsSecret': 'portal-tls',
  'serviceMonitor.enabled': 'true',
  'serviceMonitor.labels.release': 'prometheus',
  databaseAuthority: 'database-authority',
  'image.pullSecrets[0]': 'registry',
  'nodeSelector.disk': 'ssd',
  'tolerations[0].key': 'portal',
  existingSecret: '',
  'secrets.JWT_SECRET': 'k1:0',
  'engine.existingSecret': '',
  'engine.secrets.DATABASE_URL': 'postgres://engine',
  'settings.AUTOMATION_TENANCY_MODE': 'project',
};

describe('the chart, rendered by Helm', { skip: whyNotRendered(), timeout: 600_000 }, () => {
  let helm: string;
  let schemas: ReturnType<typeof loadSchemas>;

  before(async () => {
    helm = await findHelm();
    schemas = loadSchemas();
  });
  const run = (command: string, values: Record<string, string>) => {
    const isFlag = (value: string): boolean => value === 'true' || value === 'false';
    const sets = Object.entries(values).flatMap(([name, value]) => [isFlag(value) ? '--set' : '--set-string', `${name}=${value}`]);
    return spawnSync(helm, [command, ...(command === 'template' ? ['portal'] : []), CHART, ...sets], { encoding: 'utf8' });
  };
  const render = (values: Record<string, string>): Manifest[] => {
    const { status, stdout, stderr } = run('template', values);
    assert.equal(status, 0, stderr);
    return schemas.readAll(stdout);
  };
  const kindsOf = (manifests: Manifest[]): string[] => manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();
  const podsOf = (manifests: Manifest[]) =>
    manifests
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map(({ metadata, spec }) => ({ name: metadata.name, pod: (spec as { template: { spec: Pod } }).template.spec })); // as the schema has it
  type Pod = {
    securityContext: Record<string, unknown>;
    automountServiceAccountToken: boolean;
    containers: {
      args: string[];
      securityContext: Record<string, unknown>;
      envFrom: { secretRef?: { name: string }; configMapRef?: { name: string } }[];
      env?: { name: string; value: string }[];
    }[];
  };

  it('is what Kubernetes and the Prometheus operator accept, with the least and with everything', async () => {
    for (const values of [REQUIRED, { ...REQUIRED, ...EVERYTHING }]) {
      assert.equal(run('lint', values).status, 0);
      const manifests = render(values);
      for (const manifest of manifests) {
        const Model = await schemas.modelOf(manifest);
        assert.doesNotThrow(() => new Model(manifest).validate(), `${manifest.kind} ${manifest.metadata.name}`);
      }
    }
    const [deployment] = render(REQUIRED).filter(({ kind }) => kind === 'Deployment');
    assert.ok(deployment);
    const Model = await schemas.modelOf(deployment);
    const wrong = { ...deployment, spec: { ...(deployment.spec as object), replicas: 'two' } };
    assert.throws(() => new Model(wrong).validate());
  });

  it('has both roles, the engine and the migration; what is optional is off', () => {
    const least = [
      'ConfigMap portal-settings',
      'Deployment portal-engine',
      'Deployment portal-http',
      'Deployment portal-worker',
      'Job portal-migrate',
    ];
    const more = [
      'NetworkPolicy portal-engine',
      'PodDisruptionBudget portal-http',
      'PodDisruptionBudget portal-worker',
      'Service portal-engine',
      'Service portal-http',
    ];
    assert.deepEqual(kindsOf(render(REQUIRED)), [...least, ...more]);
    const added = kindsOf(render({ ...REQUIRED, ...EVERYTHING })).filter((name) => ![...least, ...more].includes(name));
    assert.deepEqual(added, [
      'Ingress portal',
      'Secret portal-engine-secrets',
      'Secret portal-secrets',
      'Service portal-metrics',
      'ServiceMonitor portal',
    ]);
    const without = kindsOf(
      render({ ...REQUIRED, 'engine.enabled': 'false', 'migrate.enabled': 'false', 'podDisruptionBudget.enabled': 'false' }),
    );
    assert.deepEqual(without, ['ConfigMap portal-settings', 'Deployment portal-http', 'Deployment portal-worker', 'Service portal-http']);
  });

  it('runs every container as an ordinary account on a file system that cannot be written, without a token of the cluster', () => {
    const pods = podsOf(render(REQUIRED));
    assert.equal(pods.length, 4);
    for (const { name, pod } of pods) {
      assert.deepEqual(
        [pod.securityContext['runAsNonRoot'], pod.securityContext['runAsUser'], pod.automountServiceAccountToken],
        [true, 1000, false],
        name,
      );
      for (const { securityContext } of pod.containers)
        assert.deepEqual(
          securityContext,
          { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
          name,
        );
    }
  });

  it('gives the engine nothing that opens the service’s database, sessions or vault', () => {
    const [engine] = podsOf(render({ ...REQUIRED, ...EVERYTHING })).filter(({ name }) => name === 'portal-engine');
    assert.deepEqual(
      engine?.pod.containers.map(({ args, envFrom }) => [args, envFrom]),
      [[['engine'], [{ secretRef: { name: 'portal-engine-secrets' } }]]],
    );
  });

  it('gives the service and the engine settings with which they start in production', () => {
    const secret = (): string => randomBytes(32).toString('hex');
    const shared = {
      AUTOMATION_ENGINE_ADMIN_PASSWORD: randomBytes(16).toString('hex'),
      DATABASE_URL: 'postgres://portal:x@postgres/portal',
    };
    const own = {
      JWT_SECRET: secret(),
      AUTOMATION_CALLBACK_SECRET: secret(),
      CREDENTIALS_ENCRYPTION_KEY: `k1:${randomBytes(32).toString('base64')}`,
    };
    const manifests = render({ ...REQUIRED, 'serviceMonitor.enabled': 'true' });
    const { data = {} } = manifests.find(({ kind }) => kind === 'ConfigMap') ?? {};
    const envOf = (name: string): Record<string, string> =>
      Object.fromEntries(
        podsOf(manifests)
          .filter((one) => one.name === name)
          .flatMap(({ pod }) => pod.containers.flatMap(({ env = [] }) => env.map((one) => [one.name, one.value]))),
      );
    for (const role of ['http', 'worker'])
      assert.equal(loadConfig({ ...data, ...shared, ...own, ...envOf(`portal-${role}`), DATA_DIR: tmpdir() }).role, role);
    const key = { AUTOMATION_ENGINE_ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    const engine = loadEngineConfig({ ...shared, ...key, ...envOf('portal-engine') });
    assert.deepEqual([engine.port, engine.allowedHosts], [8080, ['portal-http:3000']]);
  });

  it('says what is missing', () => {
    for (const name of ['publicBaseUrl', 'existingSecret', 'engine.projectId', 'engine.existingSecret'] as const) {
      const { status, stderr } = run('template', { ...REQUIRED, [name]: '' });
      assert.equal(status, 1);
      assert.match(stderr, new RegExp(`${name} .*is required`));
    }
  });
});
