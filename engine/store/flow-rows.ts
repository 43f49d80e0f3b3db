import type { FlowContent } from '../flow/operations.ts';
import type { Trigger } from '../protocol.ts';
import type { Platform } from './platform.ts';

export type FlowRow = {
  id: string;
  project_id: string;
  external_id: string;
  status: 'ENABLED' | 'DISABLED';
  published_version_id: string | null;
  metadata: Record<string, unknown> | null;
  created: Date;
  updated: Date;
};
export type VersionRow = {
  id: string;
  flow_id: string;
  display_name: string;
  trigger: Trigger;
  valid: boolean;
  state: 'DRAFT' | 'LOCKED';
  schema_version: string;
  connection_ids: string[];
  notes: unknown[];
  /** Stored when code steps had more than the language. */
  earlier_globals: boolean;
  created: Date;
  updated: Date;
};

/** The wire form of a version. */
export function versionReply(row: VersionRow, platform: Platform) {
  return {
    id: row.id,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
    flowId: row.flow_id,
    displayName: row.display_name,
    trigger: row.trigger,
    updatedBy: platform.userId,
    valid: row.valid,
    schemaVersion: row.schema_version,
    agentIds: [],
    state: row.state,
    connectionIds: row.connection_ids,
    backupFiles: null,
    notes: row.notes,
  };
}

/** The wire form of a flow with one of its versions. */
export function flowReply(row: FlowRow, version: VersionRow, platform: Platform) {
  return {
    id: row.id,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
    projectId: row.project_id,
    externalId: row.external_id,
    ownerId: platform.userId,
    folderId: null,
    status: row.status,
    publishedVersionId: row.published_version_id,
    metadata: row.metadata,
    operationStatus: 'NONE',
    timeSavedPerRun: null,
    templateId: null,
    createdBy: null,
    version: versionReply(version, platform),
    ...(row.status === 'ENABLED' ? { triggerSource: { schedule: null } } : {}),
  };
}

export function contentOf(row: VersionRow): FlowContent {
  return {
    displayName: row.display_name,
    trigger: row.trigger,
    valid: row.valid,
    schemaVersion: row.schema_version,
    connectionIds: row.connection_ids,
    notes: row.notes,
  };
}
