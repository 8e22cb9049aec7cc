/** Who is signed in, and what this person may do. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionUser } from '../model/session.ts';

export const UserContext = createContext<SessionUser | null>(null);

/** Whether the user may change something. A user who only reads sees no button that would be refused. */
export const useMayWrite = (): boolean => useContext(UserContext)?.read_only === false;

/** Shows its children to users who may change something. */
export const Writers = ({ children }: { children: ComponentChildren }) => (useMayWrite() ? children : null);
