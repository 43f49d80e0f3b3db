import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type Agency, seedAgency } from './agency.ts';
import { buildImage, checkOut, deploy, type Deployment, findPrevious } from './containers.ts';

// An operator's upgrade within 1.x (docs/upgrading.md): the image and compose.yaml of another version with a database in place, then those of this one.

const IMAGE = 'localhost/partner-portal:test';
const BEFORE = 'localhost/partner-portal:before';
const found = findPrevious();

describe('the image of the version before', { skip: 'skip' in found ? found.skip : false, timeout: 1_800_000 }, () => {
  let deployment: Deployment;
  let agency: Agency;
  let oldRun: string;
  let dir: string;

  before(async () => {
    assert.ok('revision' in found);
    dir = checkOut(found.revision);
    buildImage(BEFORE, dir);
    buildImage(IMAGE);
    deployment = await deploy({ image: BEFORE, root: dir });
    await deployment.ready();
    agency = await seedAgency(deployment);
    oldRun = await agency.post('Before the upgrade');
    await agency.succeeds(oldRun);
  });
  after(async () => {
    await deployment?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const works = async (): Promise<void> => {
    await deployment.ready();
    await agency.signIn();
    const old = await agency.workspace.owner.getExecution({ params: { id: oldRun } });
    assert.equal(old.status, 'SUCCEEDED');
    assert.match(JSON.stringify(old), /Before the upgrade/);
    await agency.sendsSigned();
    await agency.succeeds(await agency.post('After the upgrade'));
    await agency.hasRunOnce();
  };

  it('gives way to this one: `up` replaces it, its data are there, and events run', async () => {
    // An event of the last moment is not lost.
    await agency.post('During the upgrade');
    deployment.useVersion(IMAGE);
    await deployment.shell('node scripts/setup-production.mjs');
    await deployment.shell('docker compose up --detach');
    await works();
    for (const service of ['service', 'embedded-engine']) {
      const image = await deployment.podman('inspect', '--format', '{{.ImageName}}', deployment.nameOf(service));
      assert.equal(image.trim(), IMAGE);
    }
  });

  it('leaves agents that this one installs again with the keys that were saved before', async () => {
    const { admin, partnerId } = agency.workspace;
    const { status } = await admin.reprovision({ params: { id: partnerId }, body: { mode: 'recreate' } });
    assert.equal(status, 'succeeded');
    await works();
  });
});
