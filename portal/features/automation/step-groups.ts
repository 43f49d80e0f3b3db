import { STAGES, STEP_LISTS, stageOf } from '@partner-portal/core/provisioning/provisioning.ts';
import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import type { Reply } from '../../app/api.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import type { InternalStep, StageGroup, StepState } from './twelve-steps.tsx';
import type { MarkKind } from '../../ui/feedback/mark.tsx';

type Steps = Reply<'listSteps'>;
type Step = Steps['steps'][number];

/** Groups the recorded steps of an attempt by stage; steps not reached yet are waiting. */
export function groupSteps({ attempt, steps }: Steps): StageGroup[] {
  const mode: AttemptMode = attempt?.mode ?? 'provision';
  const start = attempt ? Date.parse(attempt.startedAt) : 0;
  const recorded = new Map(steps.map((step) => [step.name, step]));
  const rows = STEP_LISTS[mode].map((name) => ({ stage: stageOf(name), step: toRow(name, recorded.get(name), start) }));
  return STAGES.map(({ key, label }) => {
    const mine = rows.filter((row) => row.stage === key).map((row) => row.step);
    return { key, label, steps: mine, state: stateOf(mine) };
  }).filter((group) => group.steps.length > 0);
}

function toRow(name: string, step: Step | undefined, start: number): InternalStep {
  return {
    name,
    state: step?.status ?? 'pending',
    what: step?.summary ?? '',
    offsetMs: step?.startedAt ? Math.max(0, Date.parse(step.startedAt) - start) : undefined,
    durationMs: step?.durationMs ?? undefined,
    warnings: step?.warnings ?? [],
    tags: [...connectionTags(step), ...versionTags(step)],
  };
}

function stateOf(steps: readonly InternalStep[]): StepState {
  const states = steps.map((step) => step.state);
  if (states.includes('failed')) return 'failed';
  if (states.includes('running')) return 'running';
  if (states.every((state) => state === 'skipped')) return 'skipped';
  if (states.every((state) => state === 'succeeded' || state === 'skipped')) return 'succeeded';
  return states.some((state) => state === 'succeeded') ? 'running' : 'pending';
}

/** Tags per connection, if the bind_credentials step recorded them. */
function connectionTags(step: Step | undefined): InternalStep['tags'] {
  return listOf(step?.metadata['connections']).map((row) => {
    const provider = String(row['provider'] ?? '');
    const mark: MarkKind = row['bound'] === false ? 'bad' : 'ok';
    return { mark, name: provider in PROVIDERS ? provider : provider || 'connection', note: String(row['clientName'] ?? 'agency-wide') };
  });
}

/** The imported version of each template. */
function versionTags(step: Step | undefined): InternalStep['tags'] {
  const versions = step?.metadata['templates'];
  if (typeof versions !== 'object' || versions === null || Array.isArray(versions)) return [];
  return Object.entries(versions).map(([name, version]) => ({ mark: 'ok' as const, name, note: `v${String(version)}` }));
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null) : [];
}
