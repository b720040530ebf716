import {messageOf} from '../../../contract/thrown.ts';
import type {Profile} from '../../../renter/profiles/profile.ts';
import type {Services} from '../../services.tsx';

type NewKey = {
	readonly name: string;
	readonly value: string;
	/** The console itself uses the key. */
	readonly isInUse: boolean;
};

type Used = Pick<Services, 'secrets' | 'desk'>;

/** Shows the value of a new key, or of one that was reset: the only time that it is ever drawn. */
export function showApiKey({secrets, desk}: Used, {name, value, isInUse}: NewKey): void {
	const kept = isInUse ? keepForProfile({desk}, value) : {};
	const {profile} = kept;
	secrets.show({
		title: `API KEY ${name}`,
		secret: value,
		lines: [...aboutProfile(kept, isInUse), ...(profile === undefined ? [ONCE] : [])],
		fileName: `api-key-${name}`,
		isSafe: profile !== undefined,
		...(profile !== undefined && {onLeft: () => desk.open({kind: 'profile', profile})}),
	});
}

const ONCE = 'The service never says it again, and rentty keeps it nowhere.';

/** The profile with its new key, where rentty keeps that; or why it could not be kept. */
type Kept = {readonly profile?: Profile; readonly problem?: string};

/** At once, since the old value is good for nothing any more. */
function keepForProfile({desk: {target, book}}: Pick<Services, 'desk'>, value: string): Kept {
	if (target.kind !== 'profile') return {};
	const {profile} = target;
	if (profile.key.kind !== 'file' || !book.isOwnKey(profile.key.file)) return {};
	try {
		const file = book.keepKey(profile.name, value);
		const renewed: Profile = {...profile, key: {kind: 'file', file}};
		// A profile that was renamed had its key under the name of before.
		if (file !== profile.key.file) book.save(renewed, profile.name);
		return {profile: renewed};
	} catch (error) {
		return {problem: messageOf(error)};
	}
}

function aboutProfile({profile, problem}: Kept, isInUse: boolean): readonly string[] {
	if (profile !== undefined)
		return ['It is the key of this profile, and rentty has kept it there.'];
	const refused = 'rentty uses it too: until it has the new value, every call is refused.';
	if (problem !== undefined) {
		return [`It is the key of this profile, and could not be kept there (${problem}).`, refused];
	}
	return isInUse ? [refused] : [];
}
