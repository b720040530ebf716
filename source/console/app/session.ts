/** Shows one service after the other on the same terminal, from the start of the program to its end. */
import type {OwnKeys} from '../../renter/nouns/instance-keys.ts';
import {existsSync} from 'node:fs';
import {flushCompileCache} from 'node:module';
import {constants} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {type ServiceName, skeleton} from '../ui/chrome.ts';
import {type Meaning, createTheme} from '../ui/theme.ts';
import type {ProfileColour} from '../../renter/profiles/profile.ts';
import {
	targetName,
	type Target,
	remoteOf,
	targetUrlOf,
	type Remote,
} from '../../renter/profiles/target.ts';
import type {Client} from '../../client/client.ts';
import {harmlessLine, harmlessText} from '../../contract/grammar/harmless-text.ts';
import {logCrash, guardTerminal, stopGroup} from './guard.ts';
import type {Folders} from '../../renter/files/folders.ts';
import type {Settings} from '../../renter/settings/default-settings.ts';
import {loadSettings, type SettingsText} from '../../renter/settings/load-settings.ts';
import type {ProfileSwitcher} from '../services/profile-switcher.ts';
import type {ProfileBook} from '../../renter/profiles/profile-file.ts';
import {type Destination, renterTabs, tabOf} from '../services/router.ts';
import {openTerminal, type Terminal} from '../terminal/terminal.ts';

type Opening = {
	readonly remote: Remote | undefined;
	readonly folders: Folders;
	readonly version: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly onExchange: (ms: number) => void;
	readonly onFailure: (error: unknown) => void;
	readonly onTrouble: (sentence: string) => void;
	readonly onKey: (key: string) => void;
};

type ConsoleSetup = {
	readonly book: ProfileBook;
	readonly settingsText: SettingsText;
	readonly folders: Folders;
	readonly version: string;
	/** Opens a service, or the practice market where none is given. */
	readonly open: (
		opening: Opening,
	) => Promise<{readonly client: Client; readonly close: () => Promise<void>}>;
	readonly read: (file: string) => string;
};

type Visit = {readonly target: Target; readonly start: Destination | undefined};

/** Session: the parts that outlive a switch of services. */
type Session = {
	readonly terminal: Terminal;
	readonly setup: ConsoleSetup;
	/** The key in use, so that no log repeats it. */
	secret: string | undefined;
	/** Keys of instances by service: a service says each once. */
	readonly ownKeys: Map<string, OwnKeys>;
	leave: () => void;
};

/** Takes over the terminal for the console, and always restores it. */
export async function runSession(first: Visit, setup: ConsoleSetup): Promise<number> {
	const terminal = openTerminal({
		stdin: process.stdin,
		stdout: process.stdout,
		stop: () => stopGroup(process),
		now: () => performance.now(),
	});
	let exitCode = 0;
	const leave = (): void => process.exit(exitCode);
	const session: Session = {terminal, setup, secret: undefined, ownKeys: new Map(), leave};
	try {
		drawSkeleton(session, first);
		const unguard = guardTerminal({
			interrupts: process,
			terminal,
			onQuit(signal) {
				exitCode = 128 + constants.signals[signal];
				session.leave();
			},
			onCrash: error => fail(session, error),
		});
		let visited = await showConsole(session, first);
		while (visited.next !== undefined) {
			drawSkeleton(session, visited.next);
			await visited.close();
			visited = await showConsole(session, visited.next);
		}
		await terminal.leave();
		terminal.close();
		process.stdout.write(harmlessText(visited.left));
		unguard();
		await visited.close();
		// A client that is still being opened is not waited for.
		return process.exit(exitCode);
	} catch (error) {
		terminal.close();
		return fail(session, error);
	}
}

function drawSkeleton({terminal, setup}: Session, {target}: Visit): void {
	const theme = createTheme(process.env);
	const service = serviceName(target, hintFrom(setup.book));
	terminal.screen.draw(
		skeleton(theme, terminal.size(), service, {tabs: renterTabs, active: tabOf.offers ?? 0}),
	);
}

/** Hint for users without a profile, on every screen of the practice market. */
function hintFrom({profiles}: ProfileBook): string | undefined {
	return profiles.get().length === 0 ? '6 n: use your own key' : undefined;
}

/** First hint about the list of offers, for users who see it for the first time. */
function welcomeTo(start: Destination | undefined, {cache}: Folders): string | undefined {
	const isFirst =
		start === undefined ? !existsSync(join(cache, 'offers.json')) : start.name === 'offers';
	return isFirst ? 'r rents, Enter looks; nothing is charged before you press y.' : undefined;
}

/** The end of a visit: the service wanted next, and the call that closes the old one. */
type Visited = {
	readonly next: Visit | undefined;
	/** Cost that goes on; empty on the practice market, which stands still without the console. */
	readonly left: string;
	readonly close: () => Promise<void>;
};

async function showConsole(session: Session, visit: Visit): Promise<Visited> {
	const wish: {next: Visit | undefined} = {next: undefined};
	const ready = await showFirst(session, visit, next => {
		wish.next = next;
		session.leave();
	});
	const {folders} = session.setup;
	const {shown, stage, history} = ready;
	const opening = await import('./open.tsx');
	let opened: ReturnType<typeof openTarget> | undefined;
	const screen = opening.openConsole(
		{
			...shown,
			queries: opening.openLineHistory(join(folders.state, 'queries.txt')),
			undo: opening.openUndoHistory(history('undo')),
			use: opening.openUseHistory(history('use', 'jsonl')),
			lists: opening.openKeptLists(folders.state, ready.kept),
			runBook: opening.openRunBook(history('runs', 'jsonl')),
			examined: opening.openExaminedBook(history('health', 'jsonl')),
			commands: opening.openLineHistory(join(folders.state, 'commands.txt')),
			fleetMemory: opening.openFleetMemory(folders.state, ready.kept),
			async client(onExchange) {
				opened = openTarget(session, shown.switcher, onExchange);
				return (await opened).client;
			},
			ssh: opening.sshPlaces(folders),
			state: folders.state,
			keepKey: opening.keepKeysIn(join(folders.state, 'instance-keys'), shown.service.name),
			ownKeys: session.ownKeys.getOrInsertComputed(shown.service.name, opening.noOwnKeys),
			environment: process.env,
			...opening.outsidePrograms,
			now: () => new Date(),
		},
		stage,
	);
	const leave = session.leave;
	session.leave = screen.leave;
	const closes = [ready.close, followLater(ready.file), opening.tidyAtRest(session.terminal)];
	const left = await screen.left;
	session.leave = leave;
	for (const close of closes) close();
	return {
		...wish,
		left: shown.service.isPractice || left === '' ? '' : `${shown.service.name}: ${left}\n`,
		close: async () => (await opened?.catch(() => undefined))?.close(),
	};
}

/** Opens the parts of the first frame, and draws it where a list is kept. */
async function showFirst(
	{terminal, setup}: Session,
	{target, start}: Visit,
	onWish: (next: Visit) => void,
) {
	const {book, folders} = setup;
	const [opening, found] = await Promise.all([
		import('./first-frame.ts'),
		loadSettings(setup.settingsText),
	]);
	const file = opening.openSettingsFile(found);
	const {settings, problem} = await opening.overlaySettings(file, target, book);
	const service = serviceName(target, hintFrom(book));
	const kept = {name: service.name, url: targetUrlOf(target)};
	const history = (what: string, ending?: string) =>
		opening.serviceFile(folders.state, what, kept, ending);
	const switcher = opening.createProfileSwitcher({
		target,
		book,
		practiceFolder: join(folders.data, 'practice'),
		environment: process.env,
		connect: async (url, key) => connectOnce(url, key, setup.version),
		open: (wanted, from) => onWish({target: wanted, start: from}),
		now: Date.now,
	});
	const alerts = opening.consoleAlerts({
		folders,
		of: kept,
		service,
		terminal,
		settings,
		environment: process.env,
	});
	const shown = {
		terminal,
		memory: opening.openMemory(join(folders.cache, 'offers.json')),
		hosts: opening.openHostHistory(history('hosts')),
		service,
		switcher,
		start,
		welcome: welcomeTo(start, folders),
		settings,
		...alerts.options,
		theme: (looks: Settings) => createTheme(process.env, looks),
		problem,
	};
	const stage = opening.createStage(shown);
	const frame = opening.firstFrame(stage, shown);
	if (frame !== undefined) terminal.screen.draw(frame);
	return {shown, stage, history, kept, file, close: alerts.close};
}

/** A client for a test of a profile, without repeats and changes. */
async function connectOnce(url: string, key: string, version: string): Promise<Client> {
	const {openClient} = await import('../../client/client.ts');
	return openClient({url, key, userAgent: `rentty/${version}`, repeats: 0, isReadOnly: true});
}

/** Reads the settings again whenever they are saved, but not before the first frame. */
function followLater({follow}: {readonly follow: () => () => void}): () => void {
	let unfollow: (() => void) | undefined;
	const waiting = setImmediate(() => {
		unfollow = follow();
	});
	return () => {
		clearImmediate(waiting);
		unfollow?.();
	};
}

async function openTarget(
	session: Session,
	switcher: ProfileSwitcher,
	onExchange: (ms: number) => void,
) {
	const {open, read, folders, version} = session.setup;
	const opened = await open({
		remote: remoteOf(switcher.target, read),
		folders,
		version,
		environment: process.env,
		onExchange,
		onFailure: error => switcher.exchanges.failed(error),
		onTrouble: switcher.trouble.set,
		onKey(key) {
			session.secret = key;
			switcher.foundKey(key);
		},
	});
	setTimeout(flushCompileCache, 500).unref();
	return opened;
}

function fail({setup, secret}: Session, error: unknown): never {
	process.stderr.write(`${harmlessLine(logCrash(setup.folders.state, error, secret))}\n`);
	return process.exit(1);
}

/** Colours by their meaning, as everywhere, so that themes apply. */
const meanings: Readonly<Record<ProfileColour, Meaning>> = {
	none: 'strong',
	green: 'good',
	yellow: 'warning',
	red: 'danger',
	cyan: 'practice',
};

/** The name of the open service. @param hint how to get to one's own service, without a profile */
function serviceName(target: Target, hint?: string): ServiceName {
	const name = targetName(target);
	switch (target.kind) {
		case 'practice':
			return {name, isPractice: true, hint};
		case 'given':
			return {name, isPractice: false};
		case 'profile': {
			const {mode, colour} = target.profile;
			const meaning = meanings[colour];
			return {name, isPractice: false, mode: mode === 'read-only' ? 'RO' : 'RW', meaning};
		}
	}
}
