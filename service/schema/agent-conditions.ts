/** Of a `left join client c`: whether setup and repair touch an agent. Those of archived clients stay as they are. */
export const IS_INSTALLED_AGAIN = `coalesce(c.status, 'active') not in ('deleted', 'archived')`;
