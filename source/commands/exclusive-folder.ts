/** Programs that share a folder: one of them works in it at a time. */
import {FolderInUse, lockFolder} from '../host/instance/record.ts';
import {backgroundScheduler, pause} from '../host/scheduler.ts';

/** Work that is done until it is closed. */
type Opened = {readonly close: () => Promise<void>};

type Open = () => Promise<Opened>;

/** Opens what works in a folder: at once, or when whoever works in it has ended. */
export async function openExclusively(folder: string, open: Open): Promise<Opened> {
	const opened = await openAlone(folder, open);
	if (opened !== undefined) return opened;
	const stopping = new AbortController();
	const later = takeOver(folder, open, stopping.signal);
	return {
		async close() {
			stopping.abort();
			await (await later)?.close();
		},
	};
}

const LOOK_SECONDS = 1;

/** Waits until nobody else works in the folder. */
async function takeOver(
	folder: string,
	open: Open,
	signal: AbortSignal,
): Promise<Opened | undefined> {
	while (!signal.aborted) {
		await pause(backgroundScheduler, LOOK_SECONDS, signal);
		if (signal.aborted) break;
		// A try that failed may work when it is repeated.
		const opened = await openAlone(folder, open).catch(() => undefined);
		if (opened !== undefined) return opened;
	}
	return undefined;
}

/** Undefined where another program works in the folder. */
async function openAlone(folder: string, open: Open): Promise<Opened | undefined> {
	const unlock = await lockFolder(folder).catch((error: unknown) => {
		if (error instanceof FolderInUse) return undefined;
		throw error;
	});
	if (unlock === undefined) return undefined;
	try {
		const opened = await open();
		return {
			async close() {
				await opened.close();
				await unlock();
			},
		};
	} catch (error) {
		await unlock();
		throw error;
	}
}
