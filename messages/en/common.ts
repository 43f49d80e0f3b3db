export const common = {
  'common.cancel': 'Cancel',
  'common.visitor': 'Visitor {code}',
  'common.leaveTitle': 'Leave without saving?',
  'common.leaveText': 'Your changes here are not saved yet.',
  'common.leave': 'Leave',
  'common.stay': 'Stay',
} as const;
