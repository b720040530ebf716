/** The program's own modules, held open: an upgrade takes their files away while it runs. */
import {readFileSync} from 'node:fs';
import {open, readdir, type FileHandle} from 'node:fs/promises';
import {registerHooks} from 'node:module';

/** Open files of a built program's modules, by their addresses. Their text would take megabytes. */
type Modules = ReadonlyMap<string, FileHandle>;

let holding: Promise<void> | undefined;

/**
 * Has modules that are imported from now on come from the files that are there now. Without effect
 * where the program is not built, or is a single executable, which has them all.
 */
export async function holdProgram(): Promise<void> {
	holding ??= openModules(new URL('.', import.meta.url)).then(serveModules);
	return holding;
}

async function openModules(folder: URL): Promise<Modules> {
	// In a single executable, the folder is a file.
	const names = await readdir(folder).catch(() => []);
	const files = names.filter(name => name.endsWith('.js')).map(name => new URL(name, folder));
	const modules = new Map<string, FileHandle>();
	await Promise.all(
		files.map(async file => {
			const opened = await open(file).catch(() => undefined);
			if (opened !== undefined) modules.set(file.href, opened);
		}),
	);
	return modules;
}

function serveModules(modules: Modules): void {
	if (modules.size === 0) return;
	registerHooks({
		resolve(name, context, next) {
			const url = name.startsWith('./') ? URL.parse(name, context.parentURL)?.href : undefined;
			const isHeld = url !== undefined && modules.has(url);
			return isHeld ? {url, format: 'module', shortCircuit: true} : next(name, context);
		},
		load(url, context, next) {
			const file = modules.get(url);
			if (file === undefined) return next(url, context);
			return {source: readFileSync(file.fd), format: 'module', shortCircuit: true};
		},
	});
}
