/**
 * Most rows of a page whose plan the server keeps. By the literal the planner knows how few rows are wanted; the limit of the page is a value of its own around it:
 * `select n.* from (select … order by id desc limit ${KEPT_PAGE_MAX}) n limit $2`.
 */
export const KEPT_PAGE_MAX = 101;

/** After every id: the position before the first page, for a statement that has no optional filter. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
