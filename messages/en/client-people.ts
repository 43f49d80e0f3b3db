export const clientPeople = {
  'client-people.title': 'People',
  'client-people.lead': 'People at your business with access, and your contacts at {agency}.',
  'client-people.yours': 'Of your business',
  'client-people.you': 'you',
  'client-people.last-login': 'Last logged in {when}',
  'client-people.never': 'Has not logged in yet',
  'client-people.invited': 'Invited',
  'client-people.invited-until': 'Invitation sent {when}, valid until {until}',
  'client-people.agency': 'At {agency}',
  'client-people.responsible': 'Responsible',
  'client-people.support': 'Support',
  'client-people.change': 'To invite or remove someone, ask {agency}.',
} as const;
