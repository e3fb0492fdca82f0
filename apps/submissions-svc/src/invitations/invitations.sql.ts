import { statement } from '@canvass/postgres';

interface OfJob {
  tenantId: string;
  jobId: string;
}

/** `people` is a JSON array of texts, in the order of the file. */
export const insertPeople = statement<OfJob & { first: number; people: string }>(
  'invitations_insert_people',
  `insert into invited_people (tenant_id, job_id, position, person)
   select $tenantId::bigint, $jobId::bigint, $first::integer + p.position, p.person
   from json_array_elements_text($people::json) with ordinality p(person, position)`,
);

/** Takes the next people out. */
export const takePeople = statement<OfJob & { limit: number }, { position: number; person: string }>(
  'invitations_take_people',
  `delete from invited_people where tenant_id = $tenantId and job_id = $jobId and position in (
     select p.position from invited_people p where p.tenant_id = $tenantId and p.job_id = $jobId
     order by p.position limit $limit)
   returning position, person`,
);
