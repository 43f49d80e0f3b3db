import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import { missingCredentialText } from '@partner-portal/core/provisioning/missing-credential.ts';
import { type StepFailure } from '@partner-portal/core/provisioning/provisioning.ts';
import { explainEngineError, isEngineError } from '#adapters/engine-client.ts';

type Details = { metadata?: { [key: string]: unknown }; cause?: unknown; logged?: string };

/**
 * Fails an attempt, with two texts: `internal` for staff, `public` for the partner. The message, which the log holds for good, is `internal`
 * unless `logged` says it with ids in place of the names of clients and agents. The rest are accessors: the log writes the members of an error.
 */
export class StepFailed extends Error implements StepFailure {
  readonly #internal: string;
  readonly #metadata: { [key: string]: unknown };
  readonly public: string;
  constructor(failure: StepFailure, { metadata = {}, cause, logged = failure.internal }: Details = {}) {
    super(logged, cause === undefined ? undefined : { cause });
    this.name = 'StepFailed';
    this.#internal = failure.internal;
    this.#metadata = metadata;
    this.public = failure.public;
  }
  get internal(): string {
    return this.#internal;
  }
  /** Stored with the failed step, for staff. */
  get metadata(): { [key: string]: unknown } {
    return this.#metadata;
  }
}

/** Another attempt holds the instance. */
export class ClaimLost extends Error {
  constructor() {
    super('Another attempt holds the instance.');
    this.name = 'ClaimLost';
  }
}

/** The attempt was ended by another process (timeout): anything it still does must change nothing. */
export class AttemptOver extends Error {
  constructor() {
    super('The attempt is over.');
    this.name = 'AttemptOver';
  }
}

/**
 * The public text of a failed attempt. A repair works on agents that are installed and stops none, so its owner does not read that the setup is not
 * complete. The owner of agents that the attempt has taken down reads that they do not run. The text about missing credentials is specified to the letter
 * and stays.
 */
export function publicTextOf({ mode, hasTakenDown }: { mode: AttemptMode; hasTakenDown: boolean }, { public: text }: StepFailure): string {
  if (text.startsWith(missingCredentialText([]))) return text;
  if (hasTakenDown) return `${text} The agents that were taken down do not run until they are installed again.`;
  if (mode !== 'repair') return text;
  const cause = text === NOT_SET_UP ? 'The automation platform refused this change. Please contact support.' : text;
  return `${cause} The repair itself stopped nothing.`;
}

/** Converts any error to the two texts. Messages of engine and database never reach the public one. */
export function toFailure(error: unknown): StepFailed {
  if (error instanceof StepFailed) return error;
  if (isEngineError(error)) {
    return new StepFailed({ internal: `${error.kind}: ${explainEngineError(error)}`, public: ENGINE_TEXTS[error.kind] }, { cause: error });
  }
  const internal = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new StepFailed({ internal, public: 'Something went wrong on our side. Please try again.' }, { cause: error });
}

const NOT_ANSWERING = 'The automation platform did not answer. Please try again in a few minutes.';
/** The engine or its settings lack something that only staff can add. */
export const NOT_SET_UP = 'The automation platform is not set up completely yet. Please contact support.';
const REFUSED = 'The automation platform refused a part of the setup. Please try again, or contact support.';

const ENGINE_TEXTS = {
  unreachable: NOT_ANSWERING,
  timeout: NOT_ANSWERING,
  unhealthy: NOT_ANSWERING,
  failed: NOT_ANSWERING,
  busy: 'The automation platform is busy. Please try again in a few minutes.',
  unauthorized: NOT_SET_UP,
  wrong_password: NOT_SET_UP,
  no_worker: NOT_ANSWERING,
  no_piece: NOT_SET_UP,
  not_configured: NOT_SET_UP,
  untested_version: NOT_SET_UP,
  plan_limit: 'Your own space on the automation platform could not be created. Please contact support.',
  not_found: REFUSED,
  refused: REFUSED,
  protocol: REFUSED,
} as const;
