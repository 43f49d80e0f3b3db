/** Fields of audit entries whose values only staff may read; others see at most that they changed. */
export const STAFF_FIELDS: readonly string[] = ['internalNotes'];
