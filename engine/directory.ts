import { fairnessKeyOf } from './intake.ts';
import { EngineError } from './errors.ts';
import type { ConnectionValue, Trigger } from './protocol.ts';
import type { WebhookDirectory, WebhookState } from './routes/webhooks.ts';
import { asEarlier } from './sandbox/earlier-globals.ts';
import type { ConnectionStore } from './store/connections.ts';
import type { FlowRow, VersionRow } from './store/flow-rows.ts';
import type { FlowStore } from './store/flows.ts';

/** A bounded map whose entries end after a while; the oldest leaves first. */
function createMemory<Value>(entriesMax: number, lifeMs: number, now: () => number) {
  const entries = new Map<string, { value: Promise<Value>; until: number }>();
  return {
    read: (key: string, load: () => Promise<Value>): Promise<Value> => {
      const known = entries.get(key);
      if (known !== undefined && known.until > now()) return known.value;
      const value = load();
      entries.delete(key);
      entries.set(key, { value, until: now() + lifeMs });
      if (entries.size > entriesMax) entries.delete(entries.keys().next().value ?? '');
      // A failed load is not remembered.
      value.catch(() => {
        if (entries.get(key)?.value === value) entries.delete(key);
      });
      return value;
    },
    forget: (key: string): void => void entries.delete(key),
    clear: (): void => entries.clear(),
  };
}

function headerAuthOf(trigger: Trigger): { name: string; value: string } | undefined {
  if (trigger.type !== 'PIECE_TRIGGER' || trigger.settings.input['authType'] !== 'header') return undefined;
  const fields = trigger.settings.input['authFields'];
  if (typeof fields !== 'object' || fields === null) return undefined;
  return { name: String(Reflect.get(fields, 'headerName') ?? ''), value: String(Reflect.get(fields, 'headerValue') ?? '') };
}

function stateOf(flow: FlowRow, version: VersionRow): WebhookState {
  const target = { flowId: flow.id, projectId: flow.project_id, versionId: version.id, fairnessKey: fairnessKeyOf(flow) };
  return { kind: 'ready', target, headerAuth: headerAuthOf(version.trigger) };
}

async function goneWhenMissing(read: () => Promise<WebhookState>): Promise<WebhookState> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof EngineError && error.status === 404) return { kind: 'gone' };
    throw error;
  }
}

export type Directory = WebhookDirectory & {
  findTrigger: (versionId: string) => Promise<Trigger | undefined>;
  connections: (projectId: string, externalIds: readonly string[]) => Promise<ReadonlyMap<string, ConnectionValue>>;
  forgetFlow: (flowId: string) => void;
  forgetConnection: (projectId: string, externalId: string) => void;
};

/**
 * A cache of the data that every event needs: the live version of a flow, its tree, opened connections. This
 * process forgets at once what it changes; the short lives cover a second process during a restart.
 */
export function createDirectory(flows: FlowStore, connections: ConnectionStore, now: () => number): Directory {
  const published = createMemory<WebhookState>(10_000, 1_000, now);
  const versions = createMemory<VersionRow | undefined>(500, 600_000, now);
  const opened = createMemory<ConnectionValue | undefined>(1_000, 5_000, now);
  const connectionKey = (projectId: string, externalId: string): string => `${projectId}\0${externalId}`;

  const load = async (versionId: string): Promise<VersionRow | undefined> => {
    const version = await flows.findVersion(versionId);
    return version?.earlier_globals ? { ...version, trigger: asEarlier(version.trigger) } : version;
  };
  const readVersion = async (versionId: string): Promise<VersionRow | undefined> => {
    const version = await versions.read(versionId, () => load(versionId));
    // Only a locked version can no longer change.
    if (version?.state !== 'LOCKED') versions.forget(versionId);
    return version;
  };

  return {
    published: (flowId) =>
      published.read(flowId, () =>
        goneWhenMissing(async () => {
          const flow = await flows.readFlow(flowId);
          if (flow.status !== 'ENABLED' || flow.published_version_id === null) return { kind: 'disabled' };
          const version = await readVersion(flow.published_version_id);
          return version === undefined ? { kind: 'gone' } : stateOf(flow, version);
        }),
      ),
    latest: (flowId) =>
      goneWhenMissing(async () => {
        const flow = await flows.readFlow(flowId);
        const version = await flows.readLatest(flowId);
        return version.trigger.type === 'EMPTY' ? { kind: 'disabled' } : stateOf(flow, version);
      }),
    findTrigger: async (versionId) => (await readVersion(versionId))?.trigger,
    connections: async (projectId, externalIds) => {
      const found = await Promise.all(
        externalIds.map(async (id) => {
          const value = await opened.read(connectionKey(projectId, id), async () => (await connections.open(projectId, [id])).get(id));
          return [id, value] as const;
        }),
      );
      return new Map(found.flatMap(([id, value]) => (value === undefined ? [] : [[id, value] as const])));
    },
    forgetFlow: (flowId) => {
      published.forget(flowId);
      // Versions are keyed by their own ids; deletions are rare enough to start the memory afresh.
      versions.clear();
    },
    forgetConnection: (projectId, externalId) => opened.forget(connectionKey(projectId, externalId)),
  };
}
