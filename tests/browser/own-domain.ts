/** A host name that the browser of the tests takes for this machine. */
export const OWN_DOMAIN = 'portal.northwind.test';
