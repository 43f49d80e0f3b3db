/**
 * The reason why controls cannot be used in a view-as session. A control with this reason is not rendered, so that the viewed user's
 * permissions are not mistaken for the viewer's.
 */
export const READ_ONLY = 'This view is read-only.';
