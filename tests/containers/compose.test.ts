import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { until } from '../harness/system.ts';
import { type Agency, seedAgency } from './agency.ts';
import { buildImage, deploy, type Deployment, whyNotTried } from './containers.ts';

// What an operator has after `npm run setup:production` and compose: the image, walked from the first login to a webhook, and each container killed.

const IMAGE = 'localhost/partner-portal:test';
const skip = whyNotTried();

describe('compose.yaml and the image', { skip, timeout: 1_800_000 }, () => {
  let deployment: Deployment;
  let agency: Agency;

  before(async () => {
    buildImage(IMAGE);
    deployment = await deploy({ image: IMAGE });
    await deployment.ready();
  });
  after(() => deployment?.stop());

  it('serve the portal by TLS under the name of PUBLIC_BASE_URL, and no name that no agency has', async () => {
    const ask = (servername: string, path: string): Promise<{ status: number; body: string }> =>
      new Promise((resolve, reject) => {
        request(
          { host: '127.0.0.1', port: deployment.httpsPort, servername, path, headers: { host: servername }, rejectUnauthorized: false },
          (answer) => void text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject),
        )
          .once('error', reject)
          .end();
      });
    const page = await until('the proxy has its certificate', () => ask('portal.localhost', '/login'));
    assert.equal(page.status, 200);
    assert.match(page.body, /<title>Portal<\/title>/);
    assert.equal((await ask('portal.localhost', '/domains/ask?domain=portal.localhost')).status, 404);
    await assert.rejects(ask('invented.example.com', '/'), /alert|SSL/);
  });

  it('run as an ordinary account on a file system that cannot be written', async () => {
    for (const service of ['service', 'embedded-engine']) {
      const name = deployment.nameOf(service);
      assert.match(await deployment.podman('exec', name, 'id'), /^uid=1000/);
      await assert.rejects(deployment.podman('exec', name, 'touch', '/srv/portal/x'), /Read-only file system/);
      const environment = await deployment.podman('exec', name, 'env');
      assert.equal(/^CREDENTIALS_ENCRYPTION_KEY=/m.test(environment), service === 'service');
    }
  });

  it('let staff log in, and an agency save keys, get its agents and run them', async () => {
    agency = await seedAgency(deployment);
    await agency.succeeds(await agency.post('Ana Flores'));
  });

  it('send a signed webhook', () => agency.sendsSigned());

  it('print a report in a thread of its own', async () => {
    const pdf = await agency.workspace.owner.printClientReport({ params: { id: agency.workspace.lakeviewId }, query: {} });
    assert.equal(Buffer.from(pdf).subarray(0, 5).toString(), '%PDF-');
  });

  it('come back after each container was killed, and every accepted event has run once', async () => {
    const runs: string[] = [];
    for (const service of ['service', 'embedded-engine', 'postgres', 'engine-postgres', 'proxy']) {
      if (service !== 'service' && service !== 'postgres') runs.push(await agency.post(`Before ${service}`));
      await deployment.podman('kill', deployment.nameOf(service));
      await deployment.podman('start', deployment.nameOf(service));
      await deployment.ready();
      await agency.signIn();
      runs.push(await agency.post(`After ${service}`));
    }
    for (const executionId of runs) await agency.succeeds(executionId);
    await agency.hasRunOnce();
  });

  it('do the work in a container of its own, where the service only answers requests', async () => {
    const file = join(deployment.dir, '.env');
    writeFileSync(file, `${readFileSync(file, 'utf8').replace(/^COMPOSE_PROFILES=/m, 'COMPOSE_PROFILES=worker,')}ROLE=http\n`);
    await deployment.compose('up', '--detach');
    await deployment.ready();
    await agency.succeeds(await agency.post('By the worker'));
    await agency.hasRunOnce();
    for (const [service, role] of [
      ['service', 'http'],
      ['worker', 'worker'],
    ] as const) {
      const name = deployment.nameOf(service);
      assert.match(await deployment.podman('logs', name), new RegExp(`"role":"${role}"`), service);
      await deployment.podman('healthcheck', 'run', name);
    }
  });

  /** Writes a line of .env and restarts what it concerns. */
  const change = async (name: string, value: string): Promise<void> => {
    const file = join(deployment.dir, '.env');
    writeFileSync(file, readFileSync(file, 'utf8').replace(new RegExp(`^${name}=.*`, 'm'), `${name}=${value}`));
    assert.equal(deployment.env()[name], value);
    await deployment.compose('up', '--detach');
    await deployment.ready();
  };

  it('take new secrets as the page on production says, and lose nothing', async () => {
    const { JWT_SECRET: signing = '', CREDENTIALS_ENCRYPTION_KEY: master = '' } = deployment.env();
    const newMaster = `k2:${randomBytes(32).toString('base64')}`;
    const newSigning = `k2:${randomBytes(32).toString('hex')}`;
    await change('CREDENTIALS_ENCRYPTION_KEY', `${newMaster},${master}`);
    assert.match(await deployment.podman('exec', deployment.nameOf('service'), 'portal', 'rewrap'), /Done: [1-9]\d* resealed/);
    await change('CREDENTIALS_ENCRYPTION_KEY', newMaster);

    for (const ring of [`${signing},${newSigning}`, `${newSigning},${signing}`]) {
      await change('JWT_SECRET', ring);
      await agency.workspace.owner.getMe();
    }
    await change('JWT_SECRET', newSigning);
    await assert.rejects(agency.workspace.owner.getMe(), { status: 401 });
    await agency.signIn();

    const former = await agency.ingestUrl();
    await change('AUTOMATION_CALLBACK_SECRET', randomBytes(32).toString('hex'));
    assert.notEqual(await agency.ingestUrl(), former);
    await change('AUTOMATION_ENGINE_ADMIN_PASSWORD', randomBytes(16).toString('hex'));
    assert.match(await deployment.podman('exec', deployment.nameOf('service'), 'portal', 'engine:check'), /The engine is ready for agents/);
    await agency.succeeds(await agency.post('After new secrets'));
    await agency.hasRunOnce();
  });

  it('run each command of the image', async () => {
    const name = deployment.nameOf('service');
    assert.match(await deployment.podman('exec', name, 'portal', 'migrate'), /The database is up to date/);
    assert.match(await deployment.podman('exec', name, 'portal', 'rewrap'), /Done: 0 resealed/);
    assert.match(await deployment.podman('exec', name, 'portal', 'engine:check'), /The engine is ready for agents/);
    await assert.rejects(deployment.podman('exec', name, 'portal', 'no-such'), /There is no command "no-such"/);
  });
});
