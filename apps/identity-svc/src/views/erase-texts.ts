import { eraserOf } from '@canvass/jobs';
import type { Database } from '@canvass/postgres';
import { findWithTexts, replaceErased } from './views.sql';

/** Removes texts of an erased respondent from saved views and preferences. */
export async function eraseFromViews(
  db: Database,
  tenantId: string,
  texts: readonly string[],
): Promise<void> {
  const erase = eraserOf(texts);
  await db.transaction(async (tx) => {
    for (const kind of ['views', 'preferences'] as const)
      for (const { key, name, settings } of await tx.query(findWithTexts[kind]({ tenantId, texts })))
        await tx.query(
          replaceErased[kind]({
            tenantId,
            key,
            name: erase(name),
            settings: JSON.stringify(erase(settings)),
          }),
        );
  });
}
