export type NewClient = ReturnType<typeof newClient>;

/** The form of a new client, before anything is typed. */
export function newClient(timezone: string) {
  return { name: '', contactEmail: '', timezone, bookingUrl: '', inviteEmail: '' };
}
