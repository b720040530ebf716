/** Notifies renters of disks that fill up, and records since when GPUs have been idle. */
import type {InstanceUsage} from '../../contract/nouns/host-work.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {forgetMoment, readMoment, writeMoment} from '../database/moments.ts';
import {fullDisks, idleMoment} from '../notifications/rules.ts';
import {formatInstanceName, notifyAccount} from '../notifications/notify-renter.ts';

/** Compares a report of an instance's usage with the one before. Call it in the report's transaction. */
export async function updateUseNotices(
	database: Database,
	row: InstanceRow,
	usage: InstanceUsage,
	now: number,
): Promise<void> {
	if (row.destroyed_at !== null || row.default_job === 1) return;
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	const before = JSON.parse(row.usage ?? '{}') as InstanceUsage;
	if (usage.disk_util !== undefined) {
		// After a report without it, an earlier notification may be over.
		const disk = {before: before.disk_util ?? 1, share: usage.disk_util, now};
		await noteDisk(database, row, disk);
	}
	const [wasIdle, isIdle] = [before.gpu_util === 0, usage.gpu_util === 0];
	if (isIdle && !wasIdle) await writeMoment(database, idleMoment(row.id), now);
	if (wasIdle && !isIdle) await forgetMoment(database, idleMoment(row.id));
}

type Disk = {readonly before: number; readonly share: number; readonly now: number};

/** Notifies once per level of fullness, and again after space was freed in between. */
async function noteDisk(
	database: Database,
	row: InstanceRow,
	{before, share, now}: Disk,
): Promise<void> {
	const reached: Array<(typeof fullDisks)[number]> = [];
	for (const level of fullDisks) {
		const name = level.momentOf(row.id);
		if (share < level.until && before >= level.until) await forgetMoment(database, name);
		if (share < level.from || (await readMoment(database, name)) !== -Infinity) continue;
		await writeMoment(database, name, now);
		reached.push(level);
	}
	const fullest = reached.at(-1);
	if (fullest === undefined) return;
	await notifyAccount(database, row.account_id, {
		kind: fullest.kind,
		subject: `The disk of ${formatInstanceName(row)} ${fullest.words}`,
		message: `${Math.floor(share * 100)} % of its ${row.disk_gb} GB are used.`,
		at: now,
	});
}
