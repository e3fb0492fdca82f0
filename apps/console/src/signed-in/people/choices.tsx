import { useQuery } from '@tanstack/react-query';
import { get } from '../api';
import { Checks } from '../check';
import editor from '../editor.module.css';
import { useRoleTexts } from '../role-texts';
import { usePeopleTexts } from './texts';

/** The roles with their permissions. They change with a release only. */
export const useRoles = () =>
  useQuery({
    queryKey: ['roles'],
    staleTime: Infinity,
    queryFn: async ({ signal }) => (await get('/api/roles', {}, signal)).items,
  });

interface RoleChoiceProps {
  roles: readonly string[];
  setRoles(roles: string[]): void;
}

/**
 * A box for each role. Roles of a record are shown even if this version does not know them. Those that it
 * knows stand in for those of the API while these are read, so that nothing moves.
 */
export function RoleChoice({ roles, setRoles }: RoleChoiceProps) {
  const texts = usePeopleTexts();
  const { roleNames } = useRoleTexts();
  const known = useRoles().data?.map(({ name }) => name as string) ?? Object.keys(roleNames);
  const all = [...new Set([...known, ...roles])];
  return (
    <fieldset className={editor.checks}>
      <legend>{texts.roles}</legend>
      <Checks
        choices={all.map((name) => [name, roleNames[name] ?? name])}
        chosen={roles}
        setChosen={setRoles}
      />
    </fieldset>
  );
}
