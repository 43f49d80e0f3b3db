export const common = {
  'common.cancel': 'Cancel',
  'common.visitor': 'Visitor {code}',
  'common.leaveTitle': 'Leave without saving?',
  'common.leaveText': 'Your changes here are not saved yet.',
  'common.leave': 'Leave',
  'common.stay': 'Stay',
  'common.noMail': 'E-mail is not set up here, so none is sent.',
  'common.mailIsOff':
    'E-mail is not set up here, so no link can reach you. Send the request, then ask the person who invited you for the link.',
  'common.noMailSent':
    'No e-mail was sent, because e-mail is not set up here. If there is an account for this address, ask the person who invited you: technical support can pass on the link.',
} as const;
