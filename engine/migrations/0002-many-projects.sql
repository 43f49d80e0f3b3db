-- An engine that is started for a project per tenant holds many team projects; they are marked as beyond the recorded edition's one.
alter table engine.project add column beyond_plan boolean not null default false;
drop index engine.project_one_per_type;
create unique index project_one_per_type on engine.project (type) where not beyond_plan;
