export const common = {
  'common.cancel': 'Cancel',
  'common.visitor': 'Visitor {code}',
} as const;
