export const common = {
  'common.cancel': 'Cancel',
} as const;
