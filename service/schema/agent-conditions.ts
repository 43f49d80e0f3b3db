/** Whether setup and repair touch an agent that is joined with `left join client c`: agents of archived clients stay as they are. */
export const IS_INSTALLED_AGAIN = `coalesce(c.status, 'active') not in ('deleted', 'archived')`;
