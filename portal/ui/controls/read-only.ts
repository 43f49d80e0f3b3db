/**
 * Why nothing can be changed in a view-as session. A control with this reason is not drawn at all: what the viewed ones
 * could do is not to be mistaken for what the reader can (design, View-as bar).
 */
export const READ_ONLY = 'This view is read-only.';
