import assert from 'node:assert/strict';
import { ingestUrl, postJson, seedWorkspace, signIn, type Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { readSigned } from '../harness/stripe.ts';
import { until } from '../harness/system.ts';
import type { Deployment } from './containers.ts';

const PASSWORD = 'seven quiet harbors';

/** An agency with keys, agents and an endpoint of webhooks in a deployment, as its owner uses it. */
export type Agency = {
  workspace: Workspace;
  baseUrl: string;
  /** Logs in again. */
  signIn(): Promise<void>;
  /** The address for events of one agent. */
  ingestUrl(): Promise<string>;
  /** Posts an event and returns the id of its run. */
  post(name: string): Promise<string>;
  succeeds(executionId: string): Promise<void>;
  /** Every event that was posted is one run, and none is more. */
  hasRunOnce(): Promise<void>;
  /** Has a webhook sent, which must be signed with the secret that was shown when its endpoint was made. */
  sendsSigned(): Promise<void>;
};

/** Makes the agency through the API. */
export async function seedAgency(deployment: Deployment): Promise<Agency> {
  const baseUrl = `http://127.0.0.1:${deployment.servicePort}`;
  const admin = { email: deployment.env()['SEED_ADMIN_EMAIL'] ?? '', password: deployment.env()['SEED_ADMIN_PASSWORD'] ?? '' };
  const workspace = await seedWorkspace({ baseUrl, admin, password: PASSWORD, report: () => undefined });
  assert.equal(workspace.problem, null);
  const endpoint = await workspace.owner.createWebhook({ body: { url: 'http://receiver:8080/' } });
  const workflowId = workspace.workflowIds['lead-intake-cleaner'] ?? '';
  let posted = 0;
  return {
    workspace,
    baseUrl,
    signIn: async () => {
      workspace.owner = await signIn(baseUrl, 'maya@northwind.example', PASSWORD);
      workspace.admin = await signIn(baseUrl, admin.email, admin.password);
    },
    ingestUrl: () => ingestUrl(workspace.owner, workflowId),
    post: async (name) => {
      const url = new URL(await ingestUrl(workspace.owner, workflowId));
      const event = { name, email: 'priya@example.com', message: 'Do you treat knees?' };
      const answer = await postJson(`${baseUrl}${url.pathname}${url.search}`, event);
      assert.equal(answer.status, 202);
      posted += 1;
      return ((await answer.json()) as { executionId: string }).executionId;
    },
    succeeds: async (executionId) => {
      await until(`run ${executionId} ends`, async () => {
        const { status } = await workspace.owner.getExecution({ params: { id: executionId } });
        return status === 'SUCCEEDED';
      });
    },
    hasRunOnce: async () => {
      const { data } = await workspace.owner.listExecutions({ query: { workflowId, limit: 100 } });
      assert.deepEqual([data.length, data.every(({ status }) => status === 'SUCCEEDED')], [posted, true]);
    },
    sendsSigned: async () => {
      const received = async (): Promise<{ signature: string; body: string }[]> =>
        (await deployment.podman('logs', deployment.nameOf('receiver')))
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as { signature: string; body: string });
      const before = (await received()).length;
      await workspace.owner.testWebhook({ params: { id: endpoint.id } });
      const got = await until('the receiver has it', async () => (await received()).slice(before).at(-1));
      readSigned(got.body, got.signature, endpoint.secret);
    },
  };
}
