/** Texts that an action of the audit log is shown with. */
export type AuditTexts = {
  /** The action as a heading, for filters: "Agent paused". */
  label: string;
  /** Follows the actor's name; `{target}` is replaced: "paused {target}". */
  did: string;
  /** Follows "tried to" when the action was refused: "pause {target}". */
  tried: string;
  /** Replaces `{target}` when the entry has none. */
  thing?: string;
  /** The actor shown when no one was logged in: "Someone", or the target itself. */
  by?: 'unknown' | 'target';
};
