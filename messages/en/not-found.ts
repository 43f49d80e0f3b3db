/** A page that does not exist. */
export const notFound = {
  'not-found.title': 'Page not found',
  'not-found.text': 'The link may be incomplete or out of date, or the item was removed.',
  'not-found.home': 'Go to your home page',
  'not-found.back': 'Go back',
  'not-found.portal': 'Go to the portal',
  'not-found.login': 'Log in',
  'not-found.status': 'Service status',
} as const;
