/** What the product is called where no agency's name stands: in titles, mail, documents and authenticator apps. */
export const PRODUCT_NAME = 'Portal';
