export const TEAM_VIEWS = ['members', 'invitations'] as const;
export type TeamView = (typeof TEAM_VIEWS)[number];

export const NEW_MEMBERS = 'New members start as moderators: they can see everything and change nothing.';
