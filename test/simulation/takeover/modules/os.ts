export * from 'node:os';
import {current} from '../../world/world.ts';
import {folderOf} from '../disk.ts';

const place = () => {
	const machine = current()?.machine;
	return machine === undefined ? '/machine/nowhere' : folderOf(machine);
};
export const homedir = () => place();
export const tmpdir = () => `${place()}/tmp`;
export const hostname = () => current()?.machine.name ?? 'nowhere';
export const userInfo = () => ({username: 'user', homedir: place(), uid: 0, gid: 0, shell: null});
