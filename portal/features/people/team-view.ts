export const TEAM_VIEWS = ['members', 'invitations'] as const;
export type TeamView = (typeof TEAM_VIEWS)[number];
