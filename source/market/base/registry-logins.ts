/** Logins of registries on their way to hosts. They are in memory alone, and told once. */

export type RegistryLogin = {readonly username: string; readonly password: string};

export type RegistryLogins = {
	readonly keep: (image: string, login: RegistryLogin) => void;
	/** The login that an image is pushed with; it is forgotten by that. */
	readonly take: (image: string) => RegistryLogin | undefined;
};

/** For as long as a host can take the task that it belongs to. */
const KEPT_MS = 600_000;

export function createRegistryLogins(): RegistryLogins {
	const kept = new Map<string, {readonly login: RegistryLogin; readonly timer: NodeJS.Timeout}>();

	function take(image: string): RegistryLogin | undefined {
		const found = kept.get(image);
		clearTimeout(found?.timer);
		kept.delete(image);
		return found?.login;
	}

	return {
		keep(image, login) {
			take(image);
			const timer = setTimeout(() => kept.delete(image), KEPT_MS).unref();
			kept.set(image, {login, timer});
		},
		take,
	};
}
